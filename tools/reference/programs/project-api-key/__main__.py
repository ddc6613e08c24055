import pulumi
import neon_pulumi as neon

shop = neon.Project("shop")
monitor = neon.ProjectApiKey("monitor",
    project_id=shop.id,
    name="monitoring")
pulumi.export("monitorKey", monitor.key)
