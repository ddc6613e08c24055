import pulumi
import neon_pulumi as neon

shop = neon.Project("shop")
auditor = neon.ProjectPermission("auditor",
    project_id=shop.id,
    email="auditor@example.com")
