import pulumi
import neon_pulumi as neon

known = neon.get_regions_output()
pulumi.export("regions", known.regions)
