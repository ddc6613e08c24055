import pulumi
import neon_pulumi as neon

shop = neon.Project("shop")
found = neon.get_branch_consumption_output(project_id=shop.id,
    from_="2030-06-01T00:00:00Z",
    to="2030-06-30T00:00:00Z",
    granularity="daily")
pulumi.export("usage", found.branches)
