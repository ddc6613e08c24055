import pulumi
import neon_pulumi as neon

shop = neon.Project("shop")
app = neon.Role("app",
    project_id=shop.id,
    branch_id=shop.default_branch_id)
pulumi.export("password", app.password)
