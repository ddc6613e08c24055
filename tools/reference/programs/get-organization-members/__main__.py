import pulumi
import neon_pulumi as neon

found = neon.get_organization_members_output()
pulumi.export("members", found.members)
