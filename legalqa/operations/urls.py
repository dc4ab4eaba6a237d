"""Addresses for monitoring."""

from django.urls import path

from legalqa.operations import views

urlpatterns = [path("healthz", views.healthz, name="healthz"), path("readyz", views.readyz, name="readyz")]
