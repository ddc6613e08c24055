import pulumi
import neon_pulumi as neon

shop = neon.Project("shop")
operation = neon.get_operation_output(project_id=shop.id,
    operation_id="a07f8772-1877-4da9-a939-3a3ae62d1d8d")
pulumi.export("status", operation.status)
