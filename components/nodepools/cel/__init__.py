"""The Common Expression Language of Kubernetes: reads the rules of CRDs, and evaluates them as an API server does."""
