import { throughPlugin } from "../support/door";

throughPlugin("adoption", "renamed", "namesakes");
