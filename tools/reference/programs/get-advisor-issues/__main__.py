import pulumi
import neon_pulumi as neon

shop = neon.Project("shop")
found = neon.get_advisor_issues_output(project_id=shop.id,
    category="SECURITY")
pulumi.export("issues", found.issues)
