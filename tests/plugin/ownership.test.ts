import { throughPlugin } from "../support/door";

throughPlugin("adoption", "existing", "renamed", "namesakes");
