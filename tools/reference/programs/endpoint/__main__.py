import pulumi
import neon_pulumi as neon

shop = neon.Project("shop")
reports = neon.Endpoint("reports",
    project_id=shop.id,
    branch_id=shop.default_branch_id,
    type="read_only",
    autoscaling_limit_max_cu=1)
pulumi.export("reportsHost", reports.host)
