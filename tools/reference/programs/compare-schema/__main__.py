import pulumi
import neon_pulumi as neon

shop = neon.Project("shop")
changes = neon.compare_schema_output(project_id=shop.id,
    branch_id=shop.default_branch_id,
    database_name="neondb")
pulumi.export("diff", changes.diff)
