"""Contact of wheels with rails and rollers: profiles, geometry, forces, and their blocks."""
