"""Karpenter's Deployment, as far as its feature gates are read from it: `SETTINGS` is replaced by them."""

KARPENTER = """apiVersion: apps/v1
kind: Deployment
metadata: {name: karpenter}
spec:
  selector: {matchLabels: {a: b}}
  template:
    metadata: {labels: {a: b}}
    spec:
      containers:
      - {name: controller, image: "public.ecr.aws/karpenter/controller:1.14.0", env: [{name: FEATURE_GATES, value: "SETTINGS"}]}
"""
