import pulumi
import neon_pulumi as neon

shop = neon.Project("shop")
ann = neon.OrganizationMember("ann",
    email="ann@example.com",
    role="member")
ann_reads_the_shop = neon.ProjectMemberRole("ann-reads-the-shop",
    project_id=shop.id,
    member_id=ann.member_id,
    role="viewer")
