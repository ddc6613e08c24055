import pulumi
import neon_pulumi as neon

found = neon.get_shared_projects_output(search="shop")
pulumi.export("projects", found.projects)
