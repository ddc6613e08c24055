import pulumi
import neon_pulumi as neon

shop = neon.Project("shop")
found = neon.get_preload_libraries_output(project_id=shop.id)
pulumi.export("libraries", found.libraries)
