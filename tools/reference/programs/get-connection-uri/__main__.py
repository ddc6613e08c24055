import pulumi
import neon_pulumi as neon

shop = neon.Project("shop")
connection = neon.get_connection_uri_output(project_id=shop.id,
    branch_id=shop.default_branch_id,
    role_name="neondb_owner",
    database_name="neondb",
    pooled=True)
pulumi.export("databaseUrl", connection.uri)
