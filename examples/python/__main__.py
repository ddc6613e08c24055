import pulumi
import neon_pulumi as neon

shop = neon.Project("shop", region_id="aws-eu-central-1")
staging = neon.Branch(
    "staging",
    project_id=shop.id,
    compute={"autoscaling_limit_min_cu": 0.25, "autoscaling_limit_max_cu": 2},
)

pulumi.export("databaseUrl", staging.connection_uri)  # a secret
