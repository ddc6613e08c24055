import pulumi
import neon_pulumi as neon

shop = neon.Project("shop")
found = neon.get_permissions_output(project_id=shop.id)
pulumi.export("permissions", found.permissions)
