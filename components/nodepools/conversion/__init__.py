"""The move to EKS Auto Mode or to node auto provisioning: objects of other autoscalers, converted, with a list of what has no equivalent."""
