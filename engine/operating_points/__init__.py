"""Operating points: a diagram at one moment, what its states do there, and where they rest."""
