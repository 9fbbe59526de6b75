let linked = ()
