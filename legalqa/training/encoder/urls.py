"""Addresses of the encoders of a corpus: pages under `/o/<slug>/`, and endpoints."""

from django.urls import path

from legalqa.training.encoder import api, views

PAGE = "corpora/<uuid:corpus_id>/encoders/"
ONE = f"{PAGE}<uuid:encoder_id>/"

urlpatterns = [
    path(PAGE, views.encoder_list, name="encoder_list"),
    path(f"{PAGE}state/", views.encoder_state, name="encoder_state"),
    path(f"{PAGE}back/", views.encoder_roll_back, name="encoder_roll_back"),
    path(f"{PAGE}packaged/", views.encoder_use_packaged, name="encoder_use_packaged"),
    path(f"{PAGE}switch/cancel/", views.encoder_switch_cancel, name="encoder_switch_cancel"),
    path(f"{PAGE}switch/resume/", views.encoder_switch_resume, name="encoder_switch_resume"),
    path(ONE, views.encoder_detail, name="encoder_detail"),
    path(f"{ONE}use/", views.encoder_use, name="encoder_use"),
    path(f"{ONE}cancel/", views.encoder_cancel, name="encoder_cancel"),
    path(f"{ONE}resume/", views.encoder_resume, name="encoder_resume"),
    path(f"{ONE}remove/", views.encoder_remove, name="encoder_remove"),
]

api_urlpatterns = [
    path(PAGE, api.EncoderListApi.as_view(), name="api_encoder_list"),
    path(f"{PAGE}in-use/", api.EncoderInUseApi.as_view(), name="api_encoder_in_use"),
    path(f"{PAGE}roll-back/", api.EncoderRollBackApi.as_view(), name="api_encoder_roll_back"),
    path(ONE, api.EncoderDetailApi.as_view(), name="api_encoder_detail"),
    path(f"{ONE}cancel/", api.EncoderCancelApi.as_view(), name="api_encoder_cancel"),
    path(f"{ONE}resume/", api.EncoderResumeApi.as_view(), name="api_encoder_resume"),
]
