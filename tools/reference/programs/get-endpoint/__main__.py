import pulumi
import neon_pulumi as neon

shop = neon.Project("shop")
compute = neon.get_endpoint_output(project_id=shop.id,
    branch_id=shop.default_branch_id)
pulumi.export("host", compute.host)
