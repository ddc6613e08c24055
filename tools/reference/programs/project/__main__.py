import pulumi
import neon_pulumi as neon

shop = neon.Project("shop",
    region_id="aws-eu-central-1",
    pg_version=17,
    history_retention_seconds=86400,
    default_endpoint_settings={
        "autoscaling_limit_min_cu": 0.25,
        "autoscaling_limit_max_cu": 2,
    },
    opts=pulumi.ResourceOptions(protect=True))
pulumi.export("connectionUri", shop.connection_uri)
