import pulumi
import neon_pulumi as neon

shop = neon.Project("shop")
found = neon.get_data_api_output(project_id=shop.id,
    branch_id=shop.default_branch_id,
    database_name="neondb")
pulumi.export("url", found.url)
