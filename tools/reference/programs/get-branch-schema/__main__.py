import pulumi
import neon_pulumi as neon

shop = neon.Project("shop")
tables = neon.get_branch_schema_output(project_id=shop.id,
    branch_id=shop.default_branch_id,
    database_name="neondb")
pulumi.export("sql", tables.sql)
