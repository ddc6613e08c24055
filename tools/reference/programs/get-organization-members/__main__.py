import pulumi
import neon_pulumi as neon

found = neon.get_organization_members_output(org_id="org-quiet-river-302709")
pulumi.export("members", found.members)
