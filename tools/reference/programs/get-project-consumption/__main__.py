import pulumi
import neon_pulumi as neon

found = neon.get_project_consumption_output(from_="2030-06-01T00:00:00Z",
    to="2030-06-30T00:00:00Z",
    granularity="daily")
pulumi.export("usage", found.projects)
