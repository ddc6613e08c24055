import pulumi
import neon_pulumi as neon

shop = neon.Project("shop")
pull_requests = neon.get_branches_output(project_id=shop.id,
    search="pr-")
pulumi.export("branches", pull_requests.branches)
