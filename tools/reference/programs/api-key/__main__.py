import pulumi
import neon_pulumi as neon

ci = neon.ApiKey("ci", rotate_trigger="2030-01")
pulumi.export("ciKey", ci.key)
