"""Figures of an experiment that has ended: pages, endpoints and files over one reading of its report."""
