"""From a model to a program: schedule, memory, interpreter and compiler."""
