import pulumi
import neon_pulumi as neon

shop = neon.Project("shop")
latest = neon.get_operations_output(project_id=shop.id,
    limit=20)
pulumi.export("operations", latest.operations)
