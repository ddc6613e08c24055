import pulumi
import neon_pulumi as neon

shop = neon.Project("shop")
found = neon.get_credentials_output(project_id=shop.id,
    branch_id=shop.default_branch_id)
pulumi.export("credentials", found.credentials)
