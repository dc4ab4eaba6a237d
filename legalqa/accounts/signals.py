"""What apps above this one may want to know of."""

from django.dispatch import Signal

# In the organisation's scope and the transaction of the act, with organization, user, actor and role: None for who
# left, or whose account was closed.
membership_changed = Signal()
