import { throughPlugin } from "../support/door";

throughPlugin("ownership", "adoption", "renamed", "namesakes");
