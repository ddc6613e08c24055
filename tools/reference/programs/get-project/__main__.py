import pulumi
import neon_pulumi as neon

shop = neon.Project("shop")
found = neon.get_project_output(project_id=shop.id)
pulumi.export("proxyHost", found.proxy_host)
