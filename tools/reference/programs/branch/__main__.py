import pulumi
import neon_pulumi as neon

shop = neon.Project("shop")
preview = neon.Branch("preview",
    project_id=shop.id,
    compute={
        "autoscaling_limit_min_cu": 0.25,
        "autoscaling_limit_max_cu": 2,
    },
    annotations={
        "owner": "team-orders",
    })
pulumi.export("url", preview.connection_uri)
