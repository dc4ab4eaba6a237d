"""What apps above this one may want to know of."""

from django.dispatch import Signal

# In the organisation's scope and the transaction of the act: organization, user, role (None for who left), actor.
membership_changed = Signal()
