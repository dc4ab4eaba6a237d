"""Background entry points of the queue itself."""

from legalqa.jobs import services, turns

job_work = turns.job_work
heartbeat_write = services.heartbeat_write
