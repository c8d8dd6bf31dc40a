"""Control of the rig: estimator, filter, sliding mode, anti-skid and scaling."""
