import pulumi
import neon_pulumi as neon

shop = neon.Project("shop")
found = neon.get_roles_output(project_id=shop.id,
    branch_id=shop.default_branch_id)
pulumi.export("roles", found.roles)
