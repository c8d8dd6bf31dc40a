"""Railway blocks and the contact library under them."""
