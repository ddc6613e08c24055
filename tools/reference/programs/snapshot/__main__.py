import pulumi
import neon_pulumi as neon

shop = neon.Project("shop")
before_launch = neon.Snapshot("beforeLaunch",
    project_id=shop.id,
    branch_id=shop.default_branch_id)
