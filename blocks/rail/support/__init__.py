"""What bears the rails under a vehicle: masses, springs and dampers that travel with each axle."""
