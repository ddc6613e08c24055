import pulumi
import neon_pulumi as neon

shop = neon.Project("shop")
app = neon.Role("app",
    project_id=shop.id,
    branch_id=shop.default_branch_id)
orders = neon.Database("orders",
    project_id=shop.id,
    branch_id=shop.default_branch_id,
    owner_name=app.name)
pulumi.export("database", orders.name)
