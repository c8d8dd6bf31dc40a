"""Railway vehicles as data: bodies, force elements and wheelsets, one file for each vehicle."""
