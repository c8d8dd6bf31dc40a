"""Methods as tableaux, step control, events and the run loop, compiled with the diagram."""
