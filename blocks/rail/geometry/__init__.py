"""Where a wheel touches a rail or a roller."""
