"""What pools cost: the least and the most that a month can come to, by list prices. Imports no Pulumi and reads no file of yours."""
